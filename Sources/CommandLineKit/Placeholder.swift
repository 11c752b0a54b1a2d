package enum CommandLineKit {}
