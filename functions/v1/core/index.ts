import { auth } from './auth.ts'
import { factor } from './factor.ts'

export const core = { auth, factor }
