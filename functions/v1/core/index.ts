import { auth } from './auth.ts'
import { factor } from './factor.ts'
import { sso } from './sso.ts'

export const core = { auth, factor, sso }
