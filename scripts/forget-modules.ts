import { vi } from 'vitest'

// Runs before a test file's own imports: the file gets fresh modules of the project, while packages stay
// loaded.
vi.resetModules()
