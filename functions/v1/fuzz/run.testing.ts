import fc from 'fast-check'
import { judge } from './judge.testing.ts'
import { anyCase, type Case } from './requests.testing.ts'
import { send } from '../testing/ask.testing.ts'
import { changes, stateOf } from '../testing/state.testing.ts'
import { openProofWorld, type ProofWorld } from '../testing/world.testing.ts'

/** A kind of violation: the first request that showed it, and how many did. */
export interface Finding {
  rule: string
  endpoint: string
  detail: string
  count: number
  example: Case & { askerName: string }
}

export interface Run {
  cases: number
  statuses: Record<string, number>
  /** The names of the called endpoints. */
  endpoints: string[]
  findings: Finding[]
}

/** Number of requests between two comparisons of the whole database. */
const lookEvery = 25

/**
 * Sends generated requests to a fresh world: the same seed gives the same requests. Violations are collected, not thrown, so that one
 * fault does not hide another.
 */
export async function fuzz(seed: number, cases: number): Promise<Run> {
  const world = await openProofWorld()
  try {
    return await fuzzIn(world, seed, cases)
  } finally {
    await world.close()
  }
}

async function fuzzIn(world: ProofWorld, seed: number, cases: number): Promise<Run> {
  const findings = new Map<string, Finding>()
  const statuses: Record<string, number> = {}
  const endpoints = new Set<string>()
  const found = (sent: Case, rule: string, detail: string) => {
    const key = `${rule} ${sent.endpoint} ${detail.slice(0, 60)}`
    const before = findings.get(key)
    if (before) before.count += 1
    else
      findings.set(key, {
        rule,
        endpoint: sent.endpoint,
        detail,
        count: 1,
        example: {
          ...sent,
          body: sent.body?.slice(0, 400) ?? null,
          path: sent.path.slice(0, 400),
          askerName: world.askers[sent.asker]?.name ?? '',
        },
      })
  }

  // Rejected requests must change nothing, compared with the state before the first of them.
  let state = await stateOf(world)
  let refused: Case[] = []
  const look = async () => {
    if (!refused.length) return
    const after = await stateOf(world)
    const changed = changes(state, after)
    for (const table of changed)
      found(
        refused.at(-1) as Case,
        'what is refused changes nothing',
        `${table} (one of ${refused.length} requests: ${[...new Set(refused.map(({ endpoint }) => endpoint))].join(', ')})`,
      )
    state = after
    refused = []
  }

  for (const sent of fc.sample(anyCase(world.askers.map(({ name }) => name)), { seed, numRuns: cases })) {
    const asker = world.askers[sent.asker]
    if (!asker) continue
    const { method, path, headers, body } = sent
    const wire = { method, path, headers, ...(body === null ? {} : { raw: body }) }
    const isWrite = method !== 'get' && headers['x-http-method-override'] !== 'GET'
    if (isWrite && refused.length >= lookEvery) await look()
    const answer = await send(world, asker, wire).catch((error: unknown) => error as Error)
    if (answer instanceof Error) {
      found(sent, 'the kernel never throws', `${answer.name}: ${answer.message}`)
      continue
    }
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    endpoints.add(sent.endpoint)
    for (const { rule, detail } of await judge(world, asker, sent, answer)) found(sent, rule, detail)
    if (!isWrite) continue
    if (answer.status >= 400) refused.push(sent)
    else {
      // A successful request ends the series, as its own changes would mask others.
      refused = []
      state = await stateOf(world)
    }
  }
  await look()
  return { cases, statuses, endpoints: [...endpoints], findings: [...findings.values()] }
}
