import { auth } from './auth.ts'

export const core = { auth }
