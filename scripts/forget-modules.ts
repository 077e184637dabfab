import { vi } from 'vitest'

// Before a test file's own imports: it gets modules that have run for nobody else, while packages stay loaded.
vi.resetModules()
