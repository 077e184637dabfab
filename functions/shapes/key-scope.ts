/** The scopes that limit a key; it never has more permissions than its person. */
export const keyScopes = {
  read: 'Reads what I may see, and changes nothing',
  account: 'Does all that I may do, but for internals',
  internals: 'Does all that I may do, internals included',
  source: 'Writes the data of one source',
} as const

export type KeyScope = keyof typeof keyScopes

/** The scopes of account keys; the others are of source keys. */
export const accountScopes = ['read', 'account', 'internals'] as const satisfies KeyScope[]
export type AccountScope = (typeof accountScopes)[number]

/** Default and maximum lifetime of a key, in days. */
export const keyDays = { usual: 365, most: 730 }
