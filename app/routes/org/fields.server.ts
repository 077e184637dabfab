import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { maxCustomFields, type CustomField, type CustomKind } from '#functions/shapes/custom-field.ts'
import { readLines } from '#app/components/form/typed-text.ts'
import { v1 } from '#functions/v1/index.ts'
import { requireManager } from './manage.server.ts'

/** The actions on a field; a button names action and key: `save.method`. */
const steps = ['add', 'save', 'remove', 'up', 'down', 'bringBack'] as const
type FieldStep = (typeof steps)[number]

/** The custom fields of the organization, and removed ones that still have values. */
export async function fieldsScreen(args: LoaderFunctionArgs) {
  await requireManager(args, 'place.update')
  const { list } = await load(args, { list: v1.place.source.customFields })
  const { version, fields, removed = [] } = list
  return { version, fields, removed, isFull: fields.length >= maxCustomFields }
}

/** Applies the pressed button to the list of fields. */
export async function changeFields(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const intent = String(form.get('intent') ?? '')
  const { list } = await load(args, { list: v1.place.source.customFields })
  const fields = applyFieldChange(list, intent, form).map(({ values: _values, ...field }) => field)
  const version = Number(form.get('version'))
  const outcome = await handleFormKeepingValues(args, () => ({
    [intent]: { endpoint: v1.place.source.saveCustomFields, data: () => ({ fields, version }) },
  }))
  return outcome.ok ? { ...outcome, done: parseIntent(intent)[0] } : outcome
}

/** The action and key in a button's intent. */
function parseIntent(intent: string): [FieldStep | null, string] {
  const [name = '', key = ''] = intent.split('.')
  return [steps.find((step) => step === name) ?? null, key]
}

/** The changed list. An unknown field changes nothing. */
export function applyFieldChange(
  { fields, removed = [] }: { fields: CustomField[]; removed?: CustomField[] | undefined },
  intent: string,
  form: FormData,
): CustomField[] {
  const [step, key] = parseIntent(intent)
  const at = fields.findIndex((field) => field.key === key)
  switch (step) {
    case 'add':
      return [...fields, fieldIn(form, chooseFieldKey(form, [...fields, ...removed]))]
    case 'save':
      return fields.map((field) => (field.key === key ? fieldIn(form, key) : field))
    case 'remove':
      return fields.filter((field) => field.key !== key)
    case 'bringBack':
      return [...fields, ...removed.filter((field) => field.key === key)]
    case 'up':
      return moveField(fields, at, at - 1)
    case 'down':
      return moveField(fields, at, at + 1)
    case null:
      return fields
  }
}

function moveField(fields: CustomField[], from: number, to: number): CustomField[] {
  const field = fields[from]
  if (!field || to < 0 || to >= fields.length) return fields
  return fields.toSpliced(from, 1).toSpliced(to, 0, field)
}

/** Reads a field from a form; the endpoint validates it. */
function fieldIn(form: FormData, key: string): CustomField {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const kind = text('kind') as CustomKind
  return {
    ...{ key, kind, title: text('title'), notes: text('notes') },
    choices: kind === 'choice' ? readLines(text('choices')) : [],
    required: form.has('required'),
    isPublic: text('seenBy') === 'everyone',
  }
}

/** The key of a new field: as typed, else made of the title, and unused. */
function chooseFieldKey(form: FormData, fields: readonly CustomField[]): string {
  const typedKey = String(form.get('key') ?? '').trim()
  if (typedKey !== '') return typedKey
  const plain = String(form.get('title') ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 30)
  const base = plain === '' ? 'field' : plain
  const isTaken = (key: string) => fields.some((field) => field.key === key)
  if (!isTaken(base)) return base
  for (let n = 2; ; n += 1) if (!isTaken(`${base}_${n}`)) return `${base}_${n}`
}
