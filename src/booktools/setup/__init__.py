"""What a machine needs: environment, browser, kept third-party parts, server."""
