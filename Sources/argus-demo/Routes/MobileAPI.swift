/// The routes of the mobile API file.
enum MobileAPI {
    static let routes: [Route] = []
}
