import { auth } from './auth.ts'
import { factor } from './factor.ts'
import { lateData } from './late-data.ts'
import { passkey } from './passkey.ts'
import { sso } from './sso.ts'

export const core = { auth, factor, lateData, passkey, sso }
