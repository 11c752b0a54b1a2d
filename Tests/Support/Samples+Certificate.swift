extension Samples {
    /// A self-signed certificate of `home.example`, made for the tests.
    package static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBgzCCASmgAwIBAgIUKNFQ7xj065wcQxM16HI4ManZ6fgwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMaG9tZS5leGFtcGxlMB4XDTI2MTEyMTAyNTcxN1oXDTM2MTEx
        ODAyNTcxN1owFzEVMBMGA1UEAwwMaG9tZS5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
        KoZIzj0DAQcDQgAEoOLoWc1rgKZJ2DNoDSg7Nlch/A6rfqftNwQhCD0z0Rxz/rBM
        F6rCm6E3d1ycA73a4riHyCx/tQMhN1XGnReAz6NTMFEwHQYDVR0OBBYEFIXkFvO9
        EwqqyNPOUTPqK04LnXFoMB8GA1UdIwQYMBaAFIXkFvO9EwqqyNPOUTPqK04LnXFo
        MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAO8InehuIkcjFN8Q
        Ah4dbCALm5Zdt6Mnz+dzQL5J6YIYAiACPzIKg9u5WNoPIJfqwnuXVMuGRtElY9iA
        RXxfhNxhBA==
        -----END CERTIFICATE-----
        """
}
