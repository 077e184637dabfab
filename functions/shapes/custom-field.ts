import * as v from 'valibot'
import { Email } from './auth.ts'
import { describeIssue, type Issue } from './issue.ts'
import { buildNameShape, Version, WebAddress } from './options.ts'

/** The types of custom metadata fields. */
export const customKinds = ['text', 'longText', 'date', 'number', 'url', 'email', 'choice'] as const
export type CustomKind = (typeof customKinds)[number]

export const maxCustomFields = 30
const maxChoices = 100

/** The key of values. It stays when the title changes. */
const Key = v.pipe(
  v.string('Must be a text.'),
  v.regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    'Must begin with a lower-case letter and have at most 40 lower-case letters, digits and underscores.',
  ),
)

const Choices = v.pipe(
  v.array(buildNameShape(200), 'Must be a list of texts.'),
  v.maxLength(maxChoices, `Must be at most ${maxChoices} choices.`),
  v.checkItems((choice, i, choices) => choices.indexOf(choice) === i, 'Must not be there twice.'),
)

/** A custom metadata field of an organization's sources. */
const NewCustomField = v.pipe(
  v.strictObject({
    key: Key,
    title: buildNameShape(100),
    /** Help for the people who fill it in. */
    notes: v.optional(v.pipe(v.string('Must be a text.'), v.trim(), v.maxLength(500)), ''),
    kind: v.picklist(customKinds, `Must be one of ${customKinds.join(', ')}.`),
    choices: v.optional(Choices, []),
    /** Whether completeness requires a value, which then cannot be removed. */
    required: v.optional(v.boolean('Must be true or false.'), false),
    /** False: the field and its values are visible only to members of the organization. */
    isPublic: v.optional(v.boolean('Must be true or false.'), false),
  }),
  v.forward(
    v.check(
      ({ kind, choices }) => kind !== 'choice' || choices.length > 0,
      'Must have something to choose from.',
    ),
    ['choices'],
  ),
  v.forward(
    v.check(
      ({ kind, choices }) => kind === 'choice' || choices.length === 0,
      'Only a field of the kind choice has choices.',
    ),
    ['choices'],
  ),
)

/** All fields of an organization in order. A field that is missing is removed; its values stay, hidden. */
export const CustomFieldChanges = v.strictObject({
  fields: v.pipe(
    v.array(NewCustomField, 'Must be a list of fields.'),
    v.maxLength(maxCustomFields, `Must be at most ${maxCustomFields} fields.`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      dataset.value.forEach(({ key }, i) => {
        if (dataset.value.findIndex((other) => other.key === key) === i) return
        addIssue({
          message: 'There are two fields with this key.',
          path: [
            { type: 'array', origin: 'value', input: dataset.value, key: i, value: dataset.value[i] },
            { type: 'object', origin: 'value', input: {}, key: 'key', value: key },
          ],
        })
      })
    }),
  ),
  /** The expected version of the list; without it the list is replaced unconditionally. 0: there was none. */
  version: v.optional(v.union([v.literal(0), Version])),
})
export type CustomFieldChanges = v.InferOutput<typeof CustomFieldChanges>

/** A field as it is read. */
const CustomFieldRow = v.strictObject({
  key: v.string(),
  title: v.string(),
  notes: v.string(),
  kind: v.picklist(customKinds),
  choices: v.array(v.string()),
  required: v.boolean(),
  isPublic: v.boolean(),
  /** The number of sources with a value; only for members. */
  values: v.optional(v.number()),
})
export type CustomField = v.InferOutput<typeof CustomFieldRow>

/**
 * The visible fields of an organization in order: everyone sees the public ones. `version` is that of the list, 0 without one.
 * `removed`: removed fields that still have values, only for members.
 */
export const CustomFields = v.strictObject({
  version: v.number(),
  fields: v.array(CustomFieldRow),
  removed: v.optional(v.array(CustomFieldRow)),
})
export type CustomFields = v.InferOutput<typeof CustomFields>

/** A source's values of custom fields, by key. */
export const CustomValues = v.record(v.string(), v.union([v.string(), v.number()]))
export type CustomValues = v.InferOutput<typeof CustomValues>

/** Changes of some values; null removes one. Other fields stay unchanged. */
export const CustomValueChanges = v.pipe(
  v.record(
    v.string(),
    v.nullable(v.union([v.string(), v.number()], 'Must be a text or a number.')),
    'Must be an object.',
  ),
  v.check((values) => Object.keys(values).length <= maxCustomFields, 'Unknown field.'),
)
export type CustomValueChanges = v.InferOutput<typeof CustomValueChanges>

const aDay = v.pipe(
  v.string('Must be a day as YYYY-MM-DD.'),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Must be a day as YYYY-MM-DD.'),
  v.check(
    (day) =>
      !Number.isNaN(Date.parse(day)) && new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day,
    'There is no such day.',
  ),
)
const aText = (most: number) =>
  v.pipe(
    v.string('Must be a text.'),
    v.trim(),
    v.minLength(1, 'Must not be empty.'),
    v.maxLength(most, `Must be at most ${most} characters.`),
  )

/** The schema of a field's values. A number may be text, as in forms. */
function customValueShape({
  kind,
  choices,
}: Pick<CustomField, 'kind' | 'choices'>): v.GenericSchema<unknown, string | number> {
  switch (kind) {
    case 'text':
      return buildNameShape(500)
    case 'longText':
      return aText(10_000)
    case 'date':
      return aDay
    case 'number':
      return v.pipe(
        v.union(
          [v.number(), v.pipe(v.string(), v.trim(), v.regex(/^-?\d+(\.\d+)?$/), v.transform(Number))],
          'Must be a number.',
        ),
        v.finite('Must be a number.'),
      )
    case 'url':
      return WebAddress
    case 'email':
      return Email
    case 'choice':
      return v.picklist(choices, `Must be one of ${choices.join(', ')}.`)
  }
}

/** Whether a stored value is valid for the field's current definition. */
export function isValidCustomValue(field: Pick<CustomField, 'kind' | 'choices'>, value: unknown): boolean {
  const result = v.safeParse(customValueShape(field), value)
  return result.success && result.output === value
}

/** Validates value changes against the fields: values to store, keys to remove, and issues with their paths in the body. */
export function checkCustomValues(fields: readonly CustomField[], values: CustomValueChanges) {
  const filledValues: CustomValues = {}
  const removed: string[] = []
  const issues: Issue[] = []
  for (const [key, value] of Object.entries(values)) {
    const path = ['customFields', key]
    const field = fields.find((each) => each.key === key)
    if (!field) issues.push({ path, message: 'There is no such field.', validator: 'exists' })
    else if (value === null || value === '') {
      if (field.required) issues.push({ path, message: 'Required.', validator: 'required' })
      else removed.push(key)
    } else {
      const result = v.safeParse(customValueShape(field), value)
      if (result.success) filledValues[key] = result.output
      else issues.push({ path, value, message: describeIssue(result.issues[0]), validator: field.kind })
    }
  }
  return { kept: filledValues, removed, issues }
}
