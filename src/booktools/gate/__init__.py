"""What must hold before a change lands: checks, mutants, benches."""
