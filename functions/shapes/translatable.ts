import { blockTexts } from './block/block.ts'
import type { CustomField } from './custom-field.ts'
import type { Field, FieldSchema } from './field.ts'

/** The format of a text: one line, several lines, or HTML that is sanitised on save. */
type TextKind = 'line' | 'lines' | 'rich'

/** A translatable text of a noun. */
export interface TextSlot {
  /** Its path within the noun: `name`, `fields.magnitude.notes`, `fields.status.values.3.name`. */
  path: string
  /** Its label, as in "Notes of the field Magnitude". */
  label: string
  kind: TextKind
  /** Maximum number of characters. */
  most: number
  original: string
}

/** Returns the replacement of a text. */
type Change = (slot: TextSlot) => string

type Texts = Record<string, Omit<TextSlot, 'path' | 'original'>>

interface Declaration {
  /** The text columns of the noun. */
  texts: Texts
  /** Nested texts. Returns the changed columns. */
  deeper?: (row: Row, change: Change) => Row
}

type Row = Record<string, unknown>

const name = { label: 'Name', kind: 'line', most: 200 } as const
const notes = { label: 'Notes', kind: 'lines', most: 10_000 } as const

/**
 * All translatable texts of all nouns: the only list, used by screens, hub pages, text files and `/v1`. Everything else (URLs, names
 * of people, licences) is the same in every language.
 */
const declarations = {
  place: {
    texts: {
      displayName: name,
      description: { label: 'Description', kind: 'lines', most: 2000 },
      about: { label: 'About', kind: 'rich', most: 100_000 },
      publisher: { label: 'Publisher', kind: 'line', most: 200 },
      privacy: { label: 'Privacy', kind: 'rich', most: 100_000 },
    },
    deeper: (row, change) =>
      Array.isArray(row.customFields)
        ? { customFields: row.customFields.map((field: CustomTexts) => changeCustomField(field, change)) }
        : {},
  },
  page: {
    texts: {
      title: { label: 'Title', kind: 'line', most: 200 },
      description: { label: 'Description', kind: 'lines', most: 2000 },
      author: { label: 'Author', kind: 'line', most: 200 },
    },
  },
  content: { texts: {}, deeper: changeSettings },
  dataType: {
    texts: { name, category: { label: 'Category', kind: 'line', most: 100 }, notes },
    deeper: (row, change) =>
      row.schema ? { schema: changeFields(row.schema as FieldSchema, change, '', '') } : {},
  },
  source: {
    texts: {
      name,
      notes,
      topic: { label: 'Topic', kind: 'line', most: 100 },
      publisher: { label: 'Publisher', kind: 'line', most: 200 },
      attribution: { label: 'Attribution', kind: 'line', most: 500 },
    },
    deeper: (row, change) =>
      Array.isArray(row.tags) ? { tags: row.tags.map((tag) => changeTag(String(tag), change)) } : {},
  },
  insight: { texts: { name, notes }, deeper: changeQuery },
  collection: { texts: { name, notes } },
  collectionText: {
    texts: {
      title: { label: 'Title', kind: 'line', most: 200 },
      html: { label: 'Text', kind: 'rich', most: 200_000 },
    },
  },
} satisfies Record<string, Declaration>

export type TranslatableNoun = keyof typeof declarations
export const translatableNouns = Object.keys(declarations) as TranslatableNoun[]

/** The nouns of included relations, by member name. */
const nounOfRelation: Record<string, TranslatableNoun> = {
  place: 'place',
  contents: 'content',
  dataType: 'dataType',
  sources: 'source',
  insights: 'insight',
  texts: 'collectionText',
}

/** A copy of a row with its texts replaced by `change`, and included rows by `inside`. */
export function changeTexts<R extends object>(
  noun: TranslatableNoun,
  row: R,
  change: Change,
  inside?: (noun: TranslatableNoun, row: Row) => Row,
): R {
  const { texts, deeper }: Declaration = declarations[noun]
  const columns = row as Row
  const newColumns: Row = deeper ? deeper(columns, change) : {}
  for (const [path, about] of Object.entries(texts)) {
    const original = columns[path]
    if (typeof original === 'string' && original.trim() !== '')
      newColumns[path] = change({ path, ...about, original })
  }
  if (inside)
    for (const [key, of] of Object.entries(nounOfRelation)) {
      const part = columns[key]
      if (Array.isArray(part)) newColumns[key] = part.map((one: Row) => inside(of, one))
      else if (typeof part === 'object' && part !== null) newColumns[key] = inside(of, part as Row)
    }
  return { ...row, ...newColumns }
}

/** The non-empty texts of a row in declared order, without included rows. */
export function listRowTexts(noun: TranslatableNoun, row: object): TextSlot[] {
  const slots: TextSlot[] = []
  changeTexts(noun, row, (slot) => {
    slots.push(slot)
    return slot.original
  })
  const { texts }: Declaration = declarations[noun]
  const columns = Object.keys(texts)
  const place = ({ path }: TextSlot) => (columns.includes(path) ? columns.indexOf(path) : columns.length)
  return slots.sort((a, b) => place(a) - place(b))
}

/** A segment of a path without dots, from any text. */
const part = (text: string | number | boolean) => encodeURIComponent(String(text)).replaceAll('.', '%2E')

const hasText = (text: unknown): text is string => typeof text === 'string' && text.trim() !== ''

/** Fields with names, notes and names of codes changed, including those within maps. */
function changeFields(schema: FieldSchema, change: Change, before: string, of: string): FieldSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, field]) => [
      key,
      changeField(field, change, `${before}fields.${part(key)}`, of),
    ]),
  )
}

function changeField(field: Field, change: Change, path: string, of: string): Field {
  const fieldPath = `${of}${field.name}`
  const line = (at: string, label: string, original: string) =>
    change({ path: `${path}.${at}`, label, kind: 'line', most: 200, original })
  return {
    ...field,
    ...(hasText(field.name) && { name: line('name', `Field ${fieldPath}`, field.name) }),
    ...(hasText(field.notes) && {
      notes: change({
        ...notes,
        path: `${path}.notes`,
        label: `Notes of the field ${fieldPath}`,
        original: field.notes,
      }),
    }),
    ...(field.values && {
      values: field.values.map((codedValue) =>
        hasText(codedValue.name)
          ? {
              ...codedValue,
              name: line(
                `values.${part(codedValue.value)}.name`,
                `Value ${codedValue.value} of the field ${fieldPath}`,
                codedValue.name,
              ),
            }
          : codedValue,
      ),
    }),
    ...(field.schema && { schema: changeFields(field.schema, change, `${path}.`, `${fieldPath} › `) }),
  }
}

/** The texts of a custom field. */
type CustomTexts = Pick<CustomField, 'key' | 'title' | 'choices'>

/** The path prefix of texts of custom fields. */
export const customFieldsPath = 'customFields.'

function changeCustomField<F extends CustomTexts>(field: F, change: Change): F {
  const { key, title, choices } = field
  const line = { kind: 'line', most: 200 } as const
  const path = `${customFieldsPath}${part(key)}`
  return {
    ...field,
    title: change({ path: `${path}.title`, label: 'Title of a metadata field', ...line, original: title }),
    choices: choices.map((choice) =>
      change({
        path: `${path}.choices.${part(choice)}`,
        label: `Choice of the metadata field ${title}`,
        ...{ ...line, original: choice },
      }),
    ),
  }
}

const changeTag = (tag: string, change: Change) =>
  change({ path: `tags.${part(tag)}`, label: 'Tag', kind: 'line', most: 50, original: tag })

/** The result columns named by a query. */
function changeQuery({ query }: Row, change: Change): Row {
  const { aggregations } = (query ?? {}) as { aggregations?: unknown }
  if (!Array.isArray(aggregations)) return {}
  const aggregationTexts = aggregations.map((one: Row) =>
    hasText(one?.name)
      ? {
          ...one,
          name: change({
            path: `aggregations.${part(String(one.alias))}.name`,
            ...{ label: 'Name of a column', kind: 'line', most: 200, original: one.name },
          }),
        }
      : one,
  )
  return { query: { ...(query as Row), aggregations: aggregationTexts } }
}

function changeSettings({ settings }: Row, change: Change): Row {
  if (typeof settings !== 'object' || settings === null) return {}
  const before = settings as Row
  const changes = Object.entries(blockTexts).flatMap(([path, about]) => {
    const original = before[path]
    return hasText(original) ? [[path, change({ path, ...about, original })] as const] : []
  })
  return { settings: { ...before, ...Object.fromEntries(changes) } }
}
