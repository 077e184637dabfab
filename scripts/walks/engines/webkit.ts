import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '../../local.ts'
import type { Driver, Engine, Key, WindowOptions } from './engine.ts'

export const webkitPath = '/usr/bin/WebKitWebDriver'
export const screenPath = '/usr/bin/xvfb-run'

/** The path of its window program beside the driver, in a folder that Debian names by the architecture. */
const miniBrowser = () =>
  ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)
    .find(existsSync)

/**
 * Timeouts in milliseconds. That of a script is shorter: a script sent while its page is being left is never
 * answered, and waits retry it.
 */
const commandTimeout = 30_000
const scriptTimeout = 10_000

/** WebDriver's codes for keys. */
const keys: Record<Key, string> = {
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
  ArrowRight: '\uE014',
  End: '\uE010',
}

/**
 * WebKitGTK by plain WebDriver, on a virtual screen. The closest to Safari on Linux, but not Safari. There is
 * a driver for each theme, a session for each window.
 */
export function webkitEngine(): Engine {
  const drivers = new Map<string, Promise<WebDriver>>()
  return {
    name: 'webkit',
    async open(look) {
      const driver = drivers.get(look.scheme) ?? startDriver(look.scheme)
      drivers.set(look.scheme, driver)
      return openSession(await driver, look)
    },
    async close() {
      for (const driver of drivers.values()) (await driver).close()
    },
  }
}

interface WebDriver {
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>
  complaints: string[]
  close(): void
}

/**
 * GTK's settings: no animations; and no space for the bar of buttons, which would keep a window wider than a
 * phone.
 */
function writeSettings(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  writeFileSync(join(folder, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=false\n')
  const bar =
    'toolbar, toolbar *, button, entry { min-width: 0; padding: 0; margin: 0; font-size: 1px; border: 0 }\n'
  writeFileSync(join(folder, 'gtk-3.0/gtk.css'), bar)
  return folder
}

/** On a busy machine a browser took longer than 30 seconds to start. */
const startTimeout = 75_000

const chooseTimeout = (path: string) =>
  path === '/session' ? startTimeout : path.endsWith('/execute/sync') ? scriptTimeout : commandTimeout

async function startDriver(scheme: 'light' | 'dark'): Promise<WebDriver> {
  const port = await findFreePort()
  const folder = writeSettings()
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: folder,
    GTK_THEME: scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
  }
  const screen = ['-a', '-s', '-screen 0 1400x1100x24', webkitPath, `--port=${port}`]
  const child = spawn(screenPath, screen, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const complaints: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      if (/CONSOLE \S+ ERROR/.test(line)) complaints.push(line)
    })
  const send: WebDriver['send'] = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
      signal: AbortSignal.timeout(chooseTimeout(path)),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`WebKit: ${method} ${path}: ${(value as { message: string }).message}`)
    return value
  }
  // A process group of its own, so that the screen and the driver end together. Also when a walk ends before
  // it closes anything.
  const close = () => {
    process.off('exit', close)
    if (child.pid !== undefined) process.kill(-child.pid)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', close)
  await waitForDriver(send, child)
  return { send, complaints, close }
}

async function waitForDriver(send: WebDriver['send'], child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) break
    try {
      await send('GET', '/status')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('The driver of WebKit did not start.')
}

async function openSession(
  driver: WebDriver,
  { width, height, hasScripts }: Required<WindowOptions>,
): Promise<Driver> {
  const args = [
    '--automation',
    '--enable-write-console-messages-to-stdout=true',
    `--enable-javascript=${hasScripts}`,
  ]
  const options = { 'webkitgtk:browserOptions': { binary: miniBrowser(), args } }
  const { sessionId } = (await driver.send('POST', '/session', {
    capabilities: { alwaysMatch: options },
  })) as { sessionId: string }
  const from = driver.complaints.length
  const at = `/session/${sessionId}`
  const evaluate: Driver['evaluate'] = async (run, ...values) => {
    const script = `return (${String(run)})(...arguments)`
    return (await driver.send('POST', `${at}/execute/sync`, { script, args: values })) as Awaited<
      ReturnType<typeof run>
    >
  }
  const act = (type: 'key' | 'pointer', actions: object[]) =>
    driver.send('POST', `${at}/actions`, { actions: [{ type, id: type, actions }] })
  const typeKeys = async (text: string) => {
    for (const value of text)
      await act('key', [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
  }
  await resize(driver, at, width, height, evaluate)
  return {
    async goto(url) {
      const navigate = () => driver.send('POST', `${at}/url`, { url })
      // The driver misses the load event of about one page in a thousand.
      await navigate().catch((error: unknown) => {
        if ((error as Error).name !== 'TimeoutError') throw error
        return navigate()
      })
    },
    // The driver's own command waits for a page load, forever when going back stays on the same page.
    back: () => evaluate(() => history.back()),
    evaluate,
    async pointer(x, y, isPressed) {
      const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 }
      const press = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await act('pointer', [move, ...(isPressed ? press : [])])
    },
    type: typeKeys,
    press: (key) => typeKeys(keys[key]),
    picture: async () => Buffer.from(String(await driver.send('GET', `${at}/screenshot`)), 'base64'),
    pdf: () => Promise.resolve(null),
    complaints: () => driver.complaints.slice(from),
    close: async () => void (await driver.send('DELETE', at)),
  }
}

/** Resizes the window so that the page has this size; the window is higher by its bar. */
async function resize(
  driver: WebDriver,
  at: string,
  width: number,
  height: number,
  evaluate: Driver['evaluate'],
): Promise<void> {
  const set = (more: number) => driver.send('POST', `${at}/window/rect`, { width, height: height + more })
  await set(0)
  const inside = await evaluate(() => window.innerHeight)
  await set(height - inside)
}
