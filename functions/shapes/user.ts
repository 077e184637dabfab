import * as v from 'valibot'
import { PersonName, listOptions } from './options.ts'
import { Time, buildListShape } from './returns.ts'

/** Name and picture can be changed by the person; the global role only by super admins. */
export const UserChanges = v.strictObject({
  name: v.optional(PersonName),
  image: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.maxLength(2000),
        v.regex(/^(https?:\/\/|\/(?!\/))[^\s]*$/i, 'Must be an image address.'),
      ),
    ),
  ),
  onboarding: v.optional(v.strictObject({ welcomed: v.optional(v.boolean()) })),
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

/** A user as seen by themselves, super admins and support staff. */
export const User = v.strictObject({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  image: v.nullable(v.string()),
  role: v.nullable(v.string()),
  authMethod: v.string(),
  onboarding: v.strictObject({ welcomed: v.optional(v.boolean()) }),
  createdAt: Time,
  verified: v.boolean(),
  places: v.array(
    v.strictObject({
      id: v.string(),
      name: v.string(),
      displayName: v.string(),
      role: v.nullable(v.string()),
    }),
  ),
})
export const Users = buildListShape(User)

/** Deleting one's own account requires the password. */
export const UserFarewell = v.optional(
  v.strictObject({ password: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
)
