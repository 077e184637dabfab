import { spawnSync } from 'node:child_process'
import { build } from './build.ts'

// Builds, then hands over to wrangler: `npm run deploy -- --dry-run` checks everything without a network.
await build(console.log)
const { status } = spawnSync('npx', ['wrangler', 'deploy', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
})
process.exit(status ?? 1)
