extension Drill {
    /// The picture of a drill's event: a JPEG of 128 × 72 with the words "argus drill", in base64.
    package static let picture = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ\
        c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/wAALCABIAIABAREA/8QAGQABAQEBAQEAAAAAAAAAAAAAAAMEAgUB/8QA\
        LxAAAgICAQMBBgQHAAAAAAAAAAECAwQREgUTITEUMkFRYYEVInGxIzVCQ5HR8P/aAAgBAQAAPwDxQAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAVrx52UXXJx41a5J+r29eCcISsnGEVuUnpL6lZ4tkMd3S4pKx1Nb871s+ZWPPFyJ02OLlH1c\
        fT0JAA0YEFZkpOru6TfHel9/oasyqL6dG9xo7it4bp1prW/OviXyaabusLChTXXXyTk4x03+Xf2RPp19OT1CFM8S\
        jtyb4pQ8rw/X5/czcIfgys4x5+0a5a864+mzuyFMcLp85wSUpT7jS8tKSLZcIum6UKKLKP7dlOk4fLl8f8mbBrgq\
        MjJsgrOylxi/RtvXkvXerulZr7VcJrhtwjpNcvkUn2o3dPpjj1fxYVOcnFbfn/v1J5iUenXRikks2SSXw8EetfzS\
        /wDVfsjEAC+Jk+zWSbgpxnBwlHetp/UpdmVzw/Zq6O3FWc0+W36a8nXtbv6tHJTVDlJeX5UfGvJ6GNFY2VLIniRo\
        hHblY7Np+P6V9Ty6MqMMeWPdV3a3LmkpcWn6b2d35/cjjRhTGCob4re096/0HnVxjd2cZVzui4yfPa0/XS+BLFyX\
        jucXBWV2LjODetlXm1xxLsarH4Rs15c9vae/kczzeWRi29vXYjCOt+9x/Y+25qtx7qpVe/c7Yvl7rfw+pxnZKy8h\
        3KvhKSXJct7ZnAAAAAAAAAAAAAAAAAAAAAAAAB//2Q==
        """
}
