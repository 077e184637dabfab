// Runs beside a start, in a session of its own: reads from its input which children there are (+pid, -pid),
// and kills the remaining ones when the input closes, which happens however the start ended. Plain
// JavaScript, so that it starts at once.
import { createInterface } from 'node:readline'

const children = new Set()
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) children.add(pid)
  else children.delete(pid)
})
lines.on('close', () => {
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already exited.
    }
  }
  process.exit(0)
})
