import type { Path } from '../error.ts'
import type { ParseContext } from './value.ts'

const maxAlias = 64
const maxNotes = 1024

/** Parses a required alias; undefined with an issue for an invalid one. */
export function parseAlias(input: unknown, path: Path, { issues }: ParseContext): string | undefined {
  if (input === undefined || input === null || input === '') return issues.add(path, 'Missing alias!', input)
  if (typeof input !== 'string') return issues.add(path, 'Must be a string.', input)
  const isShort = input.length <= maxAlias
  const isPlain = /^[A-Za-z0-9_-]+$/.test(input)
  if (!isShort) issues.add(path, 'Must be less than 64 characters', input)
  if (!isPlain) issues.add(path, 'Must be alphanumeric, _, or -', input)
  return isShort && isPlain ? input : undefined
}

/** Parses `name` and `notes` of an aggregation or a join; empty without any. */
export function parseLabels(
  { name, notes }: Record<string, unknown>,
  path: Path,
  context: ParseContext,
): { name?: string; notes?: string } {
  return {
    name: parseLabel(name, maxAlias, [...path, 'name'], context),
    notes: parseLabel(notes, maxNotes, [...path, 'notes'], context),
  }
}

function parseLabel(input: unknown, limit: number, path: Path, { issues }: ParseContext): string | undefined {
  if (input === undefined || input === null || input === '') return undefined
  if (typeof input !== 'string') return issues.add(path, 'Must be a string.', input)
  return input.length <= limit ? input : issues.add(path, 'Must be less than 64 characters', input)
}
