import { accountScopes, type AccountScope } from '#functions/shapes/keyScope.ts'

/** What the form says of the key to be made. */
export function keyIn(form: FormData) {
  const [name, scope, days] = ['name', 'scope', 'expiresInDays'].map((field) => form.get(field))
  return {
    name,
    ...(scope === null ? {} : { scope }),
    ...(days === null ? {} : { expiresInDays: Number(days) }),
  }
}

/** The scopes to choose from: internals are nothing to those who may not see them. */
export const scopesFor = (role: string | null): readonly AccountScope[] =>
  accountScopes.filter((scope) => scope !== 'internals' || role === 'super_admin')
