import * as v from 'valibot'
import { Name, listOptions } from './options.ts'

/** What of a person can be changed: name and picture by the person; the global role only by super admins. */
export const UserChanges = v.strictObject({
  name: v.optional(Name),
  image: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.maxLength(2000),
        v.regex(/^(https?:\/\/|\/(?!\/))[^\s]*$/i, 'Must be an image address.'),
      ),
    ),
  ),
  onboarding: v.optional(v.strictObject({ welcomed: v.boolean() })),
  role: v.optional(v.nullable(v.picklist(['super_admin', 'support']))),
})
export type UserChanges = v.InferOutput<typeof UserChanges>

export const UserOptions = listOptions({
  id: 'text',
  name: 'text',
  email: 'text',
  role: 'text',
  createdAt: 'date',
})
