declare module 'virtual:hub-assets' {
  /** Addresses of what a hub page loads: its style sheet, the script that sets the theme first, the islands. */
  export const hubAssets: { style: string; first: string; script: string }
}

declare module 'virtual:remix/server-build' {
  import type { ServerBuild } from '@remix-run/cloudflare'
  const build: ServerBuild
  export = build
}
