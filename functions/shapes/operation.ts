import * as v from 'valibot'
import { Version, listOptions } from './options.ts'
import { buildListShape } from './returns.ts'

const Area = v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z0-9]{0,40}$/, 'Must be one word.'))
const Sentence = v.pipe(v.string(), v.trim(), v.minLength(1, 'Must not be empty.'), v.maxLength(500))
const Holders = v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(100))

/** `area`: by default the word before the dot. `roles`: those that may do it. */
export const NewOperation = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z0-9]{0,40}\.[a-z][a-zA-Z0-9]{0,40}$/, 'Must be area.verb.')),
  area: v.optional(Area),
  sentence: Sentence,
  roles: v.optional(Holders),
})
export type NewOperation = v.InferOutput<typeof NewOperation>

/** The name cannot be changed, as code and grants refer to it. */
export const OperationChanges = v.strictObject({
  area: v.optional(Area),
  sentence: v.optional(Sentence),
  roles: v.optional(Holders),
  version: v.optional(Version),
})
export type OperationChanges = v.InferOutput<typeof OperationChanges>

/** `isBuiltIn` false: a custom one, which grants nothing. */
export const Operation = v.strictObject({
  id: v.string(),
  area: v.string(),
  sentence: v.string(),
  isBuiltIn: v.boolean(),
  roles: v.array(v.string()),
  version: v.number(),
})
export const Operations = buildListShape(Operation)

/** Operations by area, for the screen that edits roles. */
export const OperationGroups = buildListShape(
  v.strictObject({ area: v.string(), operations: v.array(Operation) }),
)

export const OperationOptions = listOptions({
  id: 'text',
  area: 'text',
  sentence: 'text',
  isBuiltIn: 'boolean',
})
