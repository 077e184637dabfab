import type { CodedValue, FieldType } from '#functions/shapes/field.ts'

/** Coded values, a line each: `code = name`. */
export function nameLines(values: readonly CodedValue[]): string {
  return values
    .flatMap(({ value, name }) => (name === undefined ? [] : [`${escape(value)} = ${name}`]))
    .join('\n')
}

/** Codes for missing values, a line each. */
export function missingLines(values: readonly CodedValue[]): string {
  return values.flatMap(({ value, missing }) => (missing ? [escape(value)] : [])).join('\n')
}

/**
 * Parses coded values from two texts: names by code, and codes for missing values. Lines pasted from a table have a tab instead of
 * `=`. In a code, `\=`, `\n` and `\\` are escapes.
 */
export function valuesIn(names: string, missing: string, type: FieldType): CodedValue[] {
  const namedValues = splitLines(names).map((line): CodedValue => {
    const [, code = '', name] = /^((?:\\.|[^\\=\t])*)[=\t]?(.*)$/.exec(line) ?? []
    return { value: parseCode(code, type), ...(name?.trim() && { name: name.trim() }) }
  })
  const none = new Set(splitLines(missing).map((line) => parseCode(line, type)))
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

/** A code converted to the field's type; an invalid one stays text, to be reported. */
function parseCode(text: string, type: FieldType): CodedValue['value'] {
  const code = text.trim().replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
  return asType(code, type)
}

/** A coded value converted to another type, if possible. */
export function asType(value: CodedValue['value'], type: FieldType): CodedValue['value'] {
  const text = String(value)
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
