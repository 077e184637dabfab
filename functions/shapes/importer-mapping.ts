import { isPlainObject } from './fields/plain.ts'
import * as v from 'valibot'
import { unsupportedEndings } from './importer-parsers.ts'
import { transformNamed, transforms, type ArgumentType } from './importer-transforms.ts'
import type { Issue } from './issue.ts'

type Scalar = string | number | boolean | null

/** The origin of a field: a constant, a field of the row, or a transform of such values. */
export type MappingValue =
  | Scalar
  | Scalar[]
  | { field: string; defaultValue?: MappingValue }
  | { transform: string; arguments: MappingValue[]; defaultValue?: MappingValue }

/** By field of the record, as a dot path. Empty: fields are mapped by equal names. */
export type Mapping = Record<string, MappingValue>

type Path = (string | number)[]
type Report = (path: Path, message: string) => undefined

/** `sets`: the most boundary sets whose areas a mapping finds; each is read as a whole. */
export const mappingLimits = { targets: 500, depth: 16, values: 5000, text: 10_000, sets: 5 }
const maxPath = 500

/** A parsed mapping: structure, transforms, and their constant arguments are validated. */
export const MappingShape = v.pipe(
  v.unknown(),
  v.metadata({
    like: {
      description:
        'By field of the record: a constant, `{ field }` of the row, or `{ transform, arguments }`. Empty: every field goes to that of its own name.',
      type: 'object',
      additionalProperties: true,
    },
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Mapping => {
    const { mapping, issues } = readMapping(dataset.value)
    for (const { path, message } of issues)
      addIssue({ message, input: {}, ...issuePath(path, dataset.value) })
    return issues.length ? NEVER : mapping
  }),
)

function issuePath(path: Path, input: unknown): { path?: [v.UnknownPathItem, ...v.UnknownPathItem[]] } {
  if (!path.length) return {}
  const items = path.map((key) => ({
    type: 'unknown' as const,
    origin: 'value' as const,
    input,
    key,
    value: {},
  }))
  return { path: items as [v.UnknownPathItem, ...v.UnknownPathItem[]] }
}

/** Parses a mapping and returns all issues, with paths within it. */
export function readMapping(input: unknown): { mapping: Mapping; issues: Issue[] } {
  const issues: Issue[] = []
  const report: Report = (path, message) => void issues.push({ path, message })
  if (typeof input === 'string') report([], unsupportedEndings.code)
  else if (!isPlainObject(input)) report([], 'Must be an object.')
  if (!isPlainObject(input)) return { mapping: {}, issues }
  const entries = Object.entries(input)
  if (entries.length > mappingLimits.targets)
    report([], `Must not have more than ${mappingLimits.targets} fields.`)
  const read = reader(report)
  const mapping = entries.slice(0, mappingLimits.targets).map(([target, value]): [string, MappingValue] => {
    checkPath(target, [target], report)
    return [target, read(value, [target], 0) ?? null]
  })
  if (listNamedSets(Object.fromEntries(mapping)).length > mappingLimits.sets)
    report([], `Must not name more than ${mappingLimits.sets} boundary sets.`)
  return { mapping: Object.fromEntries(mapping), issues }
}

/** A boundary set that a mapping names, and where in the mapping it does first. */
export interface NamedSet {
  boundarySetId: string
  path: Path
}

/** The boundary sets whose areas a mapping finds, each once, in the order of the mapping. */
export function listNamedSets(mapping: Mapping): NamedSet[] {
  const sets = new Map<string, NamedSet>()
  const visit = (value: MappingValue, path: Path): void => {
    if (!isPlainObject(value)) return
    const part = value as Exclude<MappingValue, Scalar | Scalar[]>
    if ('transform' in part) {
      const [, boundarySetId] = part.arguments
      if (part.transform === 'findArea' && typeof boundarySetId === 'string' && !sets.has(boundarySetId))
        sets.set(boundarySetId, { boundarySetId, path: [...path, 'arguments', 1] })
      part.arguments.forEach((argument, i) => visit(argument, [...path, 'arguments', i]))
    }
    if (part.defaultValue !== undefined) visit(part.defaultValue, [...path, 'defaultValue'])
  }
  for (const [target, value] of Object.entries(mapping)) visit(value, [target])
  return [...sets.values()]
}

/** A mapping whose boundary sets are named by other ids. `getSetId`: the id to write, of one that the mapping has at the path. */
export function withSets(mapping: Mapping, getSetId: (boundarySetId: string, path: Path) => string): Mapping {
  const replaceSets = (value: MappingValue, path: Path): MappingValue => {
    if (!isPlainObject(value)) return value
    const part = value as Exclude<MappingValue, Scalar | Scalar[]>
    const otherwise =
      part.defaultValue === undefined
        ? {}
        : { defaultValue: replaceSets(part.defaultValue, [...path, 'defaultValue']) }
    if (!('transform' in part)) return { ...part, ...otherwise }
    const list = part.arguments.map((argument, i) => {
      const at = [...path, 'arguments', i]
      const isSet = part.transform === 'findArea' && i === 1 && typeof argument === 'string'
      return isSet ? getSetId(argument, at) : replaceSets(argument, at)
    })
    return { ...part, ...otherwise, arguments: list }
  }
  return Object.fromEntries(
    Object.entries(mapping).map(([target, value]) => [target, replaceSets(value, [target])]),
  )
}

/** The keys of a dot path; `\.` is a literal dot. */
export function splitKeyPath(path: string): string[] {
  return path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'))
}

const closedKeys = ['__proto__', 'constructor', 'prototype']

function checkPath(path: string, at: Path, report: Report) {
  const keys = splitKeyPath(path)
  if (path.length > maxPath || keys.some((key) => key === '')) report(at, 'Not a valid path of a field.')
  else if (keys.some((key) => closedKeys.includes(key))) report(at, 'Must not name the inside of an object.')
}

function reader(report: Report) {
  let values = 0
  function read(value: unknown, path: Path, depth: number): MappingValue | undefined {
    values += 1
    if (values === mappingLimits.values) report([], `Must not have more than ${mappingLimits.values} values.`)
    if (values >= mappingLimits.values) return undefined
    if (depth > mappingLimits.depth)
      return report(path, `Must not be nested deeper than ${mappingLimits.depth} levels.`)
    if (isScalar(value)) return constant(value, path)
    if (Array.isArray(value)) {
      return value.map((item, i) =>
        isScalar(item) ? constant(item, [...path, i]) : (report([...path, i], 'Must be a constant.') ?? null),
      )
    }
    if (!isPlainObject(value)) return report(path, 'Must be a constant, a field or a transform.')
    if (Object.hasOwn(value, 'transform')) return transform(value, path, depth)
    if (Object.hasOwn(value, 'field')) return field(value, path, depth)
    return report(path, 'Must be a constant, or an object with a field or a transform.')
  }

  function constant(value: Scalar, path: Path): Scalar {
    if (typeof value === 'string' && value.length > mappingLimits.text)
      report(path, `Must not be longer than ${mappingLimits.text} characters.`)
    return value
  }

  function field(value: Record<string, unknown>, path: Path, depth: number): MappingValue | undefined {
    refuseOthers(value, ['field', 'defaultValue'], path)
    if (typeof value.field !== 'string') return report([...path, 'field'], 'Must be text.')
    checkPath(value.field, [...path, 'field'], report)
    return { field: value.field, ...otherwise(value, path, depth) }
  }

  function transform(value: Record<string, unknown>, path: Path, depth: number): MappingValue | undefined {
    refuseOthers(value, ['transform', 'arguments', 'defaultValue'], path)
    if (typeof value.transform !== 'string') return report([...path, 'transform'], 'Must be text.')
    const name = transformNamed(value.transform)
    if (name === undefined) {
      const isCode = /=>|\bfunction\b|module\.exports|\breturn\b/.test(value.transform)
      const unknown = `Invalid transform: ${value.transform.slice(0, 60)}`
      return report([...path, 'transform'], isCode ? unsupportedEndings.code : unknown)
    }
    const parts = value.arguments ?? []
    if (!Array.isArray(parts)) return report([...path, 'arguments'], 'Must be an array.')
    const list = parts.map((part: unknown, i) => read(part, [...path, 'arguments', i], depth + 1) ?? null)
    checkArguments(name, list, path, report)
    return { transform: name, arguments: list, ...otherwise(value, path, depth) }
  }

  function otherwise(value: Record<string, unknown>, path: Path, depth: number) {
    if (!Object.hasOwn(value, 'defaultValue')) return {}
    return { defaultValue: read(value.defaultValue, [...path, 'defaultValue'], depth + 1) ?? null }
  }

  function refuseOthers(value: object, knownKeys: string[], path: Path) {
    for (const key of Object.keys(value))
      if (!knownKeys.includes(key)) report([...path, key], 'Unknown field.')
  }

  return read
}

/** Reports missing, extra and mistyped arguments of a transform. */
function checkArguments(name: string, list: MappingValue[], path: Path, report: Report) {
  const { arguments: argumentList = [], atLeast } = transforms[name] ?? {}
  const getArgumentPath = (i: number) => [...path, 'arguments', i]
  const least = atLeast ?? argumentList.filter(({ required }) => required).length
  for (let i = list.length; i < least; i++) {
    const argument = argumentList[Math.min(i, argumentList.length - 1)]
    report(getArgumentPath(i), `Argument "${argument?.name}" for "${name}" is required.`)
  }
  list.forEach((value, i) => {
    const argument =
      atLeast === undefined ? argumentList[i] : argumentList[Math.min(i, argumentList.length - 1)]
    if (!argument)
      return report(getArgumentPath(i), `"${name}" takes no more than ${argumentList.length} arguments.`)
    const type = findConstantType(value)
    const { options } = argument
    if (argument.isConstant && typeof value !== 'string')
      return report(getArgumentPath(i), `Argument "${argument.name}" for "${name}" must be a constant text.`)
    if (argument.isConstant && value === '') return report(getArgumentPath(i), 'Choose a boundary set.')
    if (options && typeof value === 'string' && !options.includes(value))
      return report(
        getArgumentPath(i),
        `Argument "${argument.name}" for "${name}" must be one of: ${options.join(', ')}.`,
      )
    if (type === null || argument.types.includes('any') || argument.types.includes(type)) return
    const types = argument.types.join(', ')
    report(
      getArgumentPath(i),
      `Argument "${argument.name}" for "${name}" must be of type: ${types}, instead got ${type}`,
    )
  })
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/** The type of a constant; null for values that depend on the row. */
function findConstantType(value: MappingValue): ArgumentType | null {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return Array.isArray(value) ? 'list' : null
}
