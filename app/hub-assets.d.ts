declare module 'virtual:hub-assets' {
  /** Addresses of what a hub page loads: its style sheet where pages do not carry it, the islands. */
  export const hubAssets: { style: string; script: string; icon: string }
}

declare module 'virtual:hub-css' {
  /** The style sheet of hub pages; null in development, where a change of it should be seen at once. */
  export const hubCss: string | null
  /** Words of the islands: what they add to a page is named by these. */
  export const hubScriptWords: string[]
}

declare module 'virtual:remix/server-build' {
  import type { ServerBuild } from '@remix-run/cloudflare'
  const build: ServerBuild
  export = build
}
