import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { firstScript, firstScriptHash } from './first-script.ts'

/**
 * Runs the script in a browser with this storage; returns the attributes of the root element, and the scripts
 * fetched after the first paint.
 */
function ranWith(
  storageItems: Record<string, string> | null,
  { script = '', referrer = '', saveData = false, drawings = [] as string[], isPaintTold = true } = {},
) {
  const classes: string[] = []
  const refers: string[] = []
  const fetched: { type?: string; src?: string }[] = []
  const dataset: Record<string, string> = script ? { script } : {}
  const documentElement = { dataset, classList: { add: (name: string) => classes.push(name) } }
  const document = {
    documentElement,
    createElement: () => ({}),
    head: { append: (each: object) => fetched.push(each) },
  }
  const localStorage = {
    getItem(name: string) {
      if (!storageItems) throw new Error('Storage is refused.')
      return storageItems[name] ?? null
    },
  }
  const uses = drawings.map((href) => ({
    ...{ dataset: { href }, isRequested: false },
    setAttribute(name: string, value: string) {
      this.isRequested = true
      refers.push(`${name}=${value}`)
    },
  }))
  const querySelectorAll = (selector: string) =>
    selector === 'use:not([href])' ? uses.filter(({ isRequested }) => !isRequested) : []
  const later: (() => void)[] = []
  const wait = (run: () => void) => later.push(run)
  const addEventListener = (_name: string, run: () => void) => later.push(run)
  runInNewContext(firstScript, {
    location: { origin: 'https://hub.example' },
    navigator: { connection: { saveData } },
    document: { ...document, referrer, querySelectorAll },
    localStorage,
    addEventListener,
    self: { requestIdleCallback: wait },
    PerformanceObserver: class {
      constructor(readonly told: () => void) {}
      observe(options: object) {
        if (!isPaintTold) throw new TypeError('Unknown type')
        expect(options).toEqual({ type: 'paint', buffered: true })
        this.told()
      }
    },
    setTimeout: wait,
  })
  expect([...fetched, ...refers]).toEqual([])
  for (const run of later) run()
  return {
    ...{ classes, ...dataset },
    ...(fetched.length > 0 && { fetched }),
    ...(refers.length > 0 && { refers }),
  }
}

test('the policy has the hash of the script in the pages', () => {
  expect(`sha256-${createHash('sha256').update(firstScript).digest('base64')}`).toBe(firstScriptHash)
})

test('applies stored settings, and none without settings or storage', () => {
  expect(ranWith({ theme: 'dark-theme' })).toEqual({ classes: ['dark-theme'], scripts: '' })
  expect(ranWith({ theme: 'light-theme' })).toEqual({ classes: [], scripts: '', theme: 'light' })
  expect(ranWith({ sidebar: 'collapsed' })).toEqual({ classes: [], scripts: '', sidebar: 'collapsed' })
  expect(ranWith({ theme: 'x onload=1', sidebar: 'open' })).toEqual({ classes: [], scripts: '' })
  expect(ranWith(null)).toEqual({ classes: [], scripts: '' })
})

test('loads the script of the page only after the page has been drawn', () => {
  const script = '/hub/hub-1.js'
  expect(ranWith({}, { script })).toEqual({
    classes: [],
    scripts: '',
    script,
    fetched: [{ type: 'module', src: script }],
  })
})

test('loads drawings after the page has been painted', () => {
  const { refers } = ranWith({}, { drawings: ['/f/1.svg#wide', '/f/1.svg#narrow'] })
  expect(refers).toEqual(['href=/f/1.svg#wide', 'href=/f/1.svg#narrow'])
  expect(ranWith({}, { drawings: ['/f/1.svg#wide'], isPaintTold: false })).toMatchObject({
    refers: ['href=/f/1.svg#wide'],
  })
})

test('applies the web fonts at once to visitors from another page of the site, unless data are to be saved', () => {
  const faces = { classes: [], scripts: '', faces: '' }
  expect(ranWith({}, { referrer: 'https://hub.example/domains' })).toEqual(faces)
  expect(ranWith({}, { referrer: 'https://hub.example/domains', saveData: true })).not.toHaveProperty('faces')
  for (const referrer of ['https://hub.example.org/', 'https://search.example/'])
    expect(ranWith({}, { referrer })).not.toHaveProperty('faces')
})
