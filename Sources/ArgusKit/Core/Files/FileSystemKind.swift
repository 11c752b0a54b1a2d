import CProcess

/// The kinds of file systems that differ for argus.
package enum FileSystemKind {
    // NFS, SMB in three versions, sshfs, Ceph, 9p, AFS, Lustre and GPFS.
    private static let networks: Set<UInt32> = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x00C3_6400, 0x0102_1997,
        0x5346_414F, 0x0BD0_0BD0, 0x4750_4653,
    ]

    /// True if the folder is on a network file system (statfs(2)).
    package static func isNetwork(at path: String) -> Bool {
        networks.contains(argus_file_system(path))
    }
}
