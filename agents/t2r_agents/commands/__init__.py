"""The subcommands of `t2r` for playing: see `t2r_env.commands`."""
