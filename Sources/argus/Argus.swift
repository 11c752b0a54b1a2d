@main
enum Argus {
    static func main() {}
}
