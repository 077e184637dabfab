import { readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from './fuzz/breaches.testing.ts'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { pickCrossSection, isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { fill, idSets, buildIdSets } from './testing/ids.testing.ts'
import { questionsFor } from './testing/questions.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { conforms } from '#functions/api/conform.ts'
import { routes } from '#functions/api/routes.ts'

/**
 * Which fields of each response which actor gets, compared with a committed table. The schemas in `returns` cover all actors together,
 * so they would not catch a restricted field that becomes visible to more of them.
 */
const isUpdating = Boolean(process.env.UPDATE_TABLE)
const isWhole = isFullRun || isUpdating
const file = new URL('./fields.txt', import.meta.url)

/** Documents generated from code, without anyone's data. */
const documents = ['openapi.json', 'swagger', 'place.swagger', 'insight.functions', 'insight.templates']

/** Secrets and hashes. No read returns them; a create may return one once. */
const secrets =
  /(^|\.)(\w+Hash|password|secrets?|token|backupCodes|credentialId|publicKey|databaseUrl|sealed)$/

/** One of each kind, for the small run; in a cross-section each endpoint has three of them. */
const few = [
  'anonymous',
  'stranger',
  'no_role',
  'viewer',
  'organization_admin',
  'support',
  'super_admin',
  'key of viewer',
  'write key of open',
]

const reading = routes(v1).filter(
  ({ method, endpoint, name }) => method === 'get' && !endpoint.stream && !documents.includes(name),
)
const counts = { endpoints: reading.length, askers: 0, answers: 0, 'answers with fields': 0, fields: 0 }
let world: ProofWorld
beforeAll(async () => {
  world = await openProofWorld()
})
afterAll(async () => {
  writeMeasurements('fields', counts)
  await world.close()
})

/** The paths of all non-null values of a response, `[]` for each item of a list. */
function listFieldPaths(json: unknown, path = '', paths = new Set<string>()): Set<string> {
  if (json === null || json === undefined) return paths
  if (Array.isArray(json)) for (const item of json) listFieldPaths(item, `${path}[]`, paths)
  else if (typeof json === 'object')
    for (const [key, value] of Object.entries(json))
      listFieldPaths(value, path ? `${path}.${key}` : key, paths)
  else paths.add(path)
  return paths
}

/** The actors that get a field, by endpoint and field. */
type Table = Map<string, Map<string, Set<string>>>

/** Writes the table: below each endpoint a line for all fields with the same actors. */
function formatTable(table: Table): string {
  const lines: string[] = []
  for (const [endpoint, fields] of table) {
    const byAskers = new Map<string, string[]>()
    for (const [field, askers] of fields) {
      const names = world.askers.filter(({ name }) => askers.has(name)).map(({ name }) => name)
      const who = names.length === world.askers.length ? 'everyone' : names.join(', ')
      byAskers.set(who, [...(byAskers.get(who) ?? []), field])
    }
    lines.push(endpoint)
    for (const [who, names] of [...byAskers].sort(([a], [b]) => (a < b ? -1 : 1)))
      lines.push(`  ${who}: ${names.sort().join(' ')}`)
  }
  return `${lines.join('\n')}\n`
}

function read(text: string): Table {
  const table: Table = new Map()
  let fields = new Map<string, Set<string>>()
  for (const line of text.split('\n').filter(Boolean)) {
    const [, who, names] = /^ {2}(.*?): (.*)$/.exec(line) ?? []
    if (who === undefined || names === undefined) {
      table.set(line, (fields = new Map<string, Set<string>>()))
      continue
    }
    const askers = who === 'everyone' ? world.askers.map(({ name }) => name) : who.split(', ')
    for (const field of names.split(' ')) fields.set(field, new Set(askers))
  }
  return table
}

/** Calls every endpoint as every actor and returns who got which fields. `wrong` collects violations of declared schemas. */
async function ask(wrong: string[]): Promise<Table> {
  const ids = buildIdSets(world)
  const table: Table = new Map()
  const askers = isWhole ? world.askers : few.map((name) => world.asker(name))
  counts.askers = askers.length
  for (const [n, route] of reading.entries()) {
    const fields = new Map<string, Set<string>>()
    table.set(route.name, fields)
    const questions = questionsFor(route, isWhole).slice(0, isWhole ? 4 : 2)
    const requestedPaths = new Set<string>()
    for (const set of isWhole ? idSets : (['open', 'closed'] as const))
      for (const question of questions) {
        const path = `${fill(route, ids[set])}${question}`
        if (requestedPaths.has(path)) continue
        requestedPaths.add(path)
        for (const asker of pickCrossSection(askers, 3, n)) {
          const { status, json, text } = await send(world, asker, { method: 'get', path })
          counts.answers += 1
          const addProblem = (what: string) => wrong.push(`${route.name}, ${asker.name}, ${path}: ${what}`)
          if (status >= 400) {
            if (!v.is(Refusal, json)) addProblem(`a refusal of another shape: ${text.slice(0, 200)}`)
            continue
          }
          const { returns } = route.endpoint
          if (text && !returns) addProblem('does not say what it answers')
          for (const issue of returns && text ? conforms(returns, json).slice(0, 3) : [])
            addProblem(`${issue.path.join('.')}: ${issue.message}`)
          const fieldPaths = listFieldPaths(json)
          if (fieldPaths.size > 0) counts['answers with fields'] += 1
          for (const field of fieldPaths)
            fields.set(field, (fields.get(field) ?? new Set<string>()).add(asker.name))
        }
      }
  }
  return table
}

/** `UPDATE_TABLE=1` writes the committed table; review its diff like a change of permissions. */
test(
  'everyone gets exactly the fields in the committed table',
  { timeout: isWhole ? 3_600_000 : 300_000 },
  async () => {
    const wrong: string[] = []
    const table = await ask(wrong)
    if (isUpdating) writeFileSync(file, formatTable(table))
    const committedTable = read(readFileSync(file, 'utf8'))
    for (const [endpoint, fields] of table)
      for (const [field, askers] of fields)
        for (const asker of askers)
          if (!committedTable.get(endpoint)?.get(field)?.has(asker))
            wrong.push(`${endpoint}: ${asker} gets ${field}`)
    for (const [endpoint, fields] of table)
      for (const field of fields.keys())
        if (secrets.test(field)) wrong.push(`${endpoint}: ${field} is a secret`)
    expect(wrong).toEqual([])
    for (const fields of committedTable.values()) counts.fields += fields.size
    expect([...table.keys()]).toEqual([...committedTable.keys()])
    expect(counts['answers with fields']).toBeGreaterThan(counts.answers / 4)
  },
)
