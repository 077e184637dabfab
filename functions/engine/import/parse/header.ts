import { UnreadableError } from '../row.ts'
import type { Sink } from './sink.ts'

/**
 * Makes column names: trimmed; empty ones are named by position (`column_3`), duplicates are numbered (`name_2`), and
 * each change is reported. Unreadable when there are more than `most`. `before`: the number of columns to their left.
 */
export function buildColumnNames(cells: string[], sink: Sink, most: number, before = 0): string[] {
  if (cells.length > most)
    throw new UnreadableError(`The header has ${cells.length} columns: at most ${most} are read.`)
  const names = new Set(cells.map((cell) => cell.trim()))
  const usedNames = new Set<string>()
  const toUniqueName = (name: string): string =>
    names.has(name) || usedNames.has(name) ? toUniqueName(`${name}_`) : name
  return cells.map((cell, i) => {
    const text = cell.trim()
    let name = text
    // As a member name it would not store a value.
    if (text === '' || text === '__proto__') name = toUniqueName(`column_${before + i + 1}`)
    else if (usedNames.has(text)) {
      let count = 2
      while (usedNames.has(`${text}_${count}`) || names.has(`${text}_${count}`)) count++
      name = `${text}_${count}`
    }
    usedNames.add(name)
    if (name !== text)
      sink.notice(
        'warn',
        text === ''
          ? `Column ${before + i + 1} has no name: it is called "${name}".`
          : `Column ${before + i + 1} is called "${text}" ${text === '__proto__' ? 'which no field can be' : 'as one before it'}: it is called "${name}" here.`,
      )
    return name
  })
}

/** Adds a notice when a header looks like a row: all of its cells are numbers. */
export function doubtHeader(header: string[], sink: Sink) {
  if (header.every((name) => /^-?\d+([.,]\d+)?$/.test(name)))
    sink.notice('warn', `The header holds only numbers (${header.slice(0, 5).join(', ')}): is it missing?`)
}

/** Returns the values of a row by the names of their columns. */
export function keyByHeader<T>(header: string[], cells: T[]): Record<string, T> {
  const value: Record<string, T> = {}
  for (let i = 0; i < header.length; i++) value[header[i] as string] = cells[i] as T
  return value
}
