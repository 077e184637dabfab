import * as v from 'valibot'
import { Name, Version, listOptions } from './options.ts'
import { Time, buildListShape } from './returns.ts'

/** The id of a role in code and URLs. */
export const RoleId = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'Must be words in lower case with _ between them.'),
  v.maxLength(64),
)

const Operations = v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(500))

/** A role for places. Global roles are built in: row-level security knows only these, so another one would have no effect. */
export const NewRole = v.strictObject({
  id: RoleId,
  name: Name,
  scope: v.optional(v.literal('place', 'Roles that are made are roles of a place.')),
  operations: v.optional(Operations),
})
export type NewRole = v.InferOutput<typeof NewRole>

export const RoleChanges = v.strictObject({
  name: v.optional(Name),
  operations: v.optional(Operations),
  version: v.optional(Version),
})
export type RoleChanges = v.InferOutput<typeof RoleChanges>

export const Role = v.strictObject({
  id: v.string(),
  name: v.string(),
  scope: v.picklist(['global', 'place']),
  isBuiltIn: v.boolean(),
  operations: v.array(v.string()),
  version: v.number(),
  createdAt: Time,
})
export const Roles = buildListShape(Role)

export const RoleOptions = listOptions({ id: 'text', name: 'text', scope: 'text', isBuiltIn: 'boolean' })
