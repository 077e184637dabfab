import type { CodedValue, FieldType } from '#functions/shapes/field.ts'

/** Values that people read by another name, a line each: `code = name`. */
export function nameLines(values: readonly CodedValue[]): string {
  return values
    .flatMap(({ value, name }) => (name === undefined ? [] : [`${escape(value)} = ${name}`]))
    .join('\n')
}

/** Values that stand for none, a line each. */
export function missingLines(values: readonly CodedValue[]): string {
  return values.flatMap(({ value, missing }) => (missing ? [escape(value)] : [])).join('\n')
}

/**
 * The values that two texts say: names by code, and codes that stand for none. Lines copied from a table have a tab for the sign. In a
 * code `\=`, `\n` and `\\` stand for what would end it.
 */
export function valuesIn(names: string, missing: string, type: FieldType): CodedValue[] {
  const namedValues = splitLines(names).map((line): CodedValue => {
    const [, code = '', name] = /^((?:\\.|[^\\=\t])*)[=\t]?(.*)$/.exec(line) ?? []
    return { value: codeOf(code, type), ...(name?.trim() && { name: name.trim() }) }
  })
  const none = new Set(splitLines(missing).map((line) => codeOf(line, type)))
  const values = new Set(namedValues.map(({ value }) => value))
  return [
    ...namedValues.map((each): CodedValue => (none.has(each.value) ? { ...each, missing: true } : each)),
    ...[...none].filter((value) => !values.has(value)).map((value): CodedValue => ({ value, missing: true })),
  ]
}

const splitLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

const escape = (value: CodedValue['value']) =>
  String(value)
    .replace(/[\\=\t]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** A code as the field's type has it; a text that is none of it stays, and is told as not good. */
function codeOf(text: string, type: FieldType): CodedValue['value'] {
  const code = text.trim().replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
  return asType(code, type)
}

/** A value of a field that got another type, as that has it, where it can. */
export function asType(value: CodedValue['value'], type: FieldType): CodedValue['value'] {
  const text = String(value)
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
