"""The subcommands of `t2r` for training: see `t2r_env.commands`."""
