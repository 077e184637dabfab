import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { handleForm } from './load.server.ts'

// This test is run by the compiler: an expected error that is missing is an error itself.

/** The result of a form has the type of the endpoint that handled it. */
async function readOutcome(args: ActionFunctionArgs): Promise<unknown[]> {
  const outcome = await handleForm(args, {
    makeKey: { endpoint: v1.source.key.create },
    wipe: { endpoint: v1.source.wipe },
    arrange: { endpoint: v1.place.page.content.updateById, each: [] },
    create: { endpoint: v1.source.create, then: () => '/' },
  })
  if (!outcome.ok) return [outcome.message]
  // @ts-expect-error Only one of the intents gives a key.
  const early: string = outcome.result.key
  // @ts-expect-error An act that goes on to another page never comes back.
  if (outcome.intent === 'create') return []
  if (outcome.intent === 'makeKey') {
    const key: string = outcome.result.key
    return [early, key]
  }
  if (outcome.intent === 'wipe') {
    const count: number = outcome.result.count
    // @ts-expect-error It counts, and gives no key.
    const wrong: string = outcome.result.key
    return [count, wrong]
  }
  const parts: string[] = outcome.result.map(({ id }) => id)
  return parts
}
void readOutcome
