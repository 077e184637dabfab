import { accountScopes, type AccountScope } from '#functions/shapes/key-scope.ts'

/** Reads the new key from its form. */
export function keyIn(form: FormData) {
  const [name, scope, days] = ['name', 'scope', 'expiresInDays'].map((field) => form.get(field))
  return {
    name,
    ...(scope === null ? {} : { scope }),
    ...(days === null ? {} : { expiresInDays: Number(days) }),
  }
}

/** The scopes to choose from: internals are only for super admins. */
export const scopesFor = (role: string | null): readonly AccountScope[] =>
  accountScopes.filter((scope) => scope !== 'internals' || role === 'super_admin')
