import { expect, inject } from 'vitest'
import { ask, hubs } from '../ask.ts'
import type { Engine } from '../engines/engine.ts'
import { waitForListeners } from '../engines/seen.ts'
import { openIn, type Window } from '../engines/window.ts'
import type { Step, Task } from './tasks.ts'

/** The effort of a task. A click into a field counts, typing does not. */
interface Effort {
  clicks: number
  keys: number
}

/** Performs a task as its person does; throws at the first step that fails. */
export async function perform(engine: Engine, task: Task, hasScripts: boolean): Promise<Effort> {
  const { host } = hubs[task.start.hub]
  const window = await openIn(engine, { ...task.look, hasScripts })
  try {
    await window.goto(`http://${host}:${inject('port')}${task.start.path}`)
    if (hasScripts) await waitForListeners(window)
    const other = typeof task.withoutScripts === 'object' ? task.withoutScripts : task.steps
    for (const step of hasScripts ? task.steps : other) await performStep(window, step, host)
    return { clicks: window.clicks, keys: window.keys }
  } finally {
    await window.close()
  }
}

async function performStep(window: Window, step: Step, host: string): Promise<void> {
  if ('click' in step) return window.click(step.click, step.text)
  if ('fill' in step) return window.fill(step.fill, step.with)
  if ('press' in step) {
    for (let times = step.times ?? 1; times > 0; times -= 1) await window.press(step.press)
    return
  }
  if ('see' in step) return window.waitUntilVisible(step.see, step.text)
  if ('at' in step)
    return void (await expect
      .poll(() => window.url(), { timeout: 15_000, message: window.engine })
      .toMatch(step.at))
  const href = await window.findLinkHref(step.file, step.text)
  window.clicks += 1
  const { pathname, search } = new URL(href)
  const { status, body } = await ask(pathname + search, { host })
  expect([href, status]).toEqual([href, 200])
  expect(body.toString('latin1'), href).toMatch(step.has)
}
