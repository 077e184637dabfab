import * as v from 'valibot'
import { Email } from './auth.ts'
import { describeIssue, type Issue } from './issue.ts'
import { plainName, Version, WebAddress } from './options.ts'

/** What a field that an organization makes for its sources can hold. */
export const customKinds = ['text', 'longText', 'date', 'number', 'url', 'email', 'choice'] as const
export type CustomKind = (typeof customKinds)[number]

export const mostCustomFields = 30
const mostChoices = 100

/** What a value stands under. It stays when the title changes. */
const Key = v.pipe(
  v.string('Must be a text.'),
  v.regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    'Must begin with a lower-case letter and have at most 40 lower-case letters, digits and underscores.',
  ),
)

const Choices = v.pipe(
  v.array(plainName(200), 'Must be a list of texts.'),
  v.maxLength(mostChoices, `Must be at most ${mostChoices} choices.`),
  v.checkItems((choice, i, choices) => choices.indexOf(choice) === i, 'Must not be there twice.'),
)

/** A metadata field that an organization makes for its sources. */
const NewCustomField = v.pipe(
  v.strictObject({
    key: Key,
    title: plainName(100),
    /** What to write there, for who fills it in. */
    notes: v.optional(v.pipe(v.string('Must be a text.'), v.trim(), v.maxLength(500)), ''),
    kind: v.picklist(customKinds, `Must be one of ${customKinds.join(', ')}.`),
    choices: v.optional(Choices, []),
    /** A source that does not say it is not completely described, and one that does cannot be made to say nothing. */
    required: v.optional(v.boolean('Must be true or false.'), false),
    /** False: the people of the organization alone see the field and its values. */
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

/** All fields of an organization in their order. One that is there now and not here is removed; its values stay, hidden. */
export const CustomFieldChanges = v.strictObject({
  fields: v.pipe(
    v.array(NewCustomField, 'Must be a list of fields.'),
    v.maxLength(mostCustomFields, `Must be at most ${mostCustomFields} fields.`),
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
  /** The version of the list that was changed; without it, whatever there is is replaced. 0: there was none. */
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
  /** How many sources say something in it; only for the people of the organization. */
  values: v.optional(v.number()),
})
export type CustomField = v.InferOutput<typeof CustomFieldRow>

/**
 * The fields of an organization in their order, as far as one may see them: everyone those that are public. `version` is of the list, 0
 * where there are none. `removed`: fields that were removed though sources say something in them, only for the people of the organization.
 */
export const CustomFields = v.strictObject({
  version: v.number(),
  fields: v.array(CustomFieldRow),
  removed: v.optional(v.array(CustomFieldRow)),
})
export type CustomFields = v.InferOutput<typeof CustomFields>

/** What a source says in the fields of its organization, by their keys. */
export const CustomValues = v.record(v.string(), v.union([v.string(), v.number()]))
export type CustomValues = v.InferOutput<typeof CustomValues>

/** What is to be said in some fields; null: nothing any more. Fields that are not named stay as they are. */
export const CustomValueChanges = v.pipe(
  v.record(
    v.string(),
    v.nullable(v.union([v.string(), v.number()], 'Must be a text or a number.')),
    'Must be an object.',
  ),
  v.check((values) => Object.keys(values).length <= mostCustomFields, 'Unknown field.'),
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

/** The shape of a value of a field. A number may come as text, as forms send it. */
function customValueShape({
  kind,
  choices,
}: Pick<CustomField, 'kind' | 'choices'>): v.GenericSchema<unknown, string | number> {
  switch (kind) {
    case 'text':
      return plainName(500)
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

/** Whether a value that is stored is one that a field has now. */
export function isValueOf(field: Pick<CustomField, 'kind' | 'choices'>, value: unknown): boolean {
  const result = v.safeParse(customValueShape(field), value)
  return result.success && result.output === value
}

/**
 * Values as they are stored, checked by the fields that there are: those to be kept, the keys of those to be taken away, and what is wrong.
 * `path` of each is that of the body.
 */
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
