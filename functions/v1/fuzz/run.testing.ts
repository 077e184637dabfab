import fc from 'fast-check'
import { listBreaches } from './breaches.testing.ts'
import { anyCase, type Case } from './requests.testing.ts'
import { send } from '../testing/ask.testing.ts'
import { changes, hashState } from '../testing/state.testing.ts'
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
  const addFinding = (testCase: Case, rule: string, detail: string) => {
    const key = `${rule} ${testCase.endpoint} ${detail.slice(0, 60)}`
    const before = findings.get(key)
    if (before) before.count += 1
    else
      findings.set(key, {
        rule,
        endpoint: testCase.endpoint,
        detail,
        count: 1,
        example: {
          ...testCase,
          body: testCase.body?.slice(0, 400) ?? null,
          path: testCase.path.slice(0, 400),
          askerName: world.askers[testCase.asker]?.name ?? '',
        },
      })
  }

  // Rejected requests must change nothing, compared with the state before the first of them.
  let state = await hashState(world)
  let rejectedCases: Case[] = []
  const checkRejectedCases = async () => {
    if (!rejectedCases.length) return
    const after = await hashState(world)
    const changedTables = changes(state, after)
    for (const table of changedTables)
      addFinding(
        rejectedCases.at(-1) as Case,
        'what is refused changes nothing',
        `${table} (one of ${rejectedCases.length} requests: ${[...new Set(rejectedCases.map(({ endpoint }) => endpoint))].join(', ')})`,
      )
    state = after
    rejectedCases = []
  }

  for (const testCase of fc.sample(anyCase(world.askers.map(({ name }) => name)), { seed, numRuns: cases })) {
    const asker = world.askers[testCase.asker]
    if (!asker) continue
    const { method, path, headers, body } = testCase
    const wire = { method, path, headers, ...(body === null ? {} : { raw: body }) }
    const isWrite = method !== 'get' && headers['x-http-method-override'] !== 'GET'
    if (isWrite && rejectedCases.length >= lookEvery) await checkRejectedCases()
    const answer = await send(world, asker, wire).catch((error: unknown) => error as Error)
    if (answer instanceof Error) {
      addFinding(testCase, 'the kernel never throws', `${answer.name}: ${answer.message}`)
      continue
    }
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    endpoints.add(testCase.endpoint)
    for (const { rule, detail } of await listBreaches(world, asker, testCase, answer))
      addFinding(testCase, rule, detail)
    if (!isWrite) continue
    if (answer.status >= 400) rejectedCases.push(testCase)
    else {
      // A successful request ends the series, as its own changes would mask others.
      rejectedCases = []
      state = await hashState(world)
    }
  }
  await checkRejectedCases()
  return { cases, statuses, endpoints: [...endpoints], findings: [...findings.values()] }
}
