import { auth } from './auth.ts'
import { factor } from './factor.ts'
import { passkey } from './passkey.ts'
import { sso } from './sso.ts'

export const core = { auth, factor, passkey, sso }
