import { spawn } from 'node:child_process'

export interface Screen {
  /** The value of the environment variable `DISPLAY`. */
  display: string
  close: () => void
}

/** Starts a virtual screen (Xvfb) on a free display. It is closed at the latest when this process exits. */
export async function openScreen(): Promise<Screen> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const close = () => {
    process.off('exit', close)
    child.kill()
  }
  process.once('exit', close)
  // Xvfb writes the number of the display once it accepts connections.
  const number = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('Xvfb did not start.')))
    child.stdio[3]?.once('data', (data: Buffer) => resolve(String(data).trim()))
  })
  return { display: `:${number}`, close }
}
