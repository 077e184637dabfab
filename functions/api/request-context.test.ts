import { expect, test } from 'vitest'
import type { Message } from '#functions/context.ts'
import { prerenderAgent, tracker, sendToQueue } from './request-context.ts'
import type { Env } from '#functions/settings.ts'

test('runs of importers have a queue of their own, so that no commit keeps pages of hubs waiting', async () => {
  const messages: [queue: string, kind: Message['kind']][] = []
  const queue = (name: string) => ({ send: async ({ kind }: Message) => void messages.push([name, kind]) })
  const env = { QUEUE: queue('events'), JOBS: queue('jobs') } as unknown as Env
  await sendToQueue(env)
  await sendToQueue(env, { v: 1, kind: 'jobs' })
  for (const kind of ['hub', 'exports', 'observers'] as const) await sendToQueue(env, { v: 1, kind })
  expect(messages).toEqual([
    ['events', 'outbox'],
    ['jobs', 'jobs'],
    ['events', 'hub'],
    ['events', 'exports'],
    ['events', 'observers'],
  ])
})

test('events are written in production only, and not for the prerender', () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const person = new Headers({ 'user-agent': 'Mozilla/5.0' })
  for (const environment of ['development', 'test', 'production'] as const)
    tracker(environment, person, write)('errorView', { kind: environment })
  tracker('production', new Headers({ 'user-agent': prerenderAgent }), write)('errorView', { kind: 'stored' })
  expect(lines).toEqual(['{"event":"errorView","kind":"production"}'])
})
