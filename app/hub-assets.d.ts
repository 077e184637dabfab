declare module 'virtual:hub-assets' {
  /** Addresses of what a hub page loads: its style sheet where pages do not carry it, the islands. */
  export const hubAssets: { style: string; script: string }
}

declare module 'virtual:hub-css' {
  import type { LaterNames, Styles } from '#app/theme/lean-css.ts'
  /** The style sheet of hub pages, read by the build; null in development, where a change of it should be seen at once. */
  export const hubStyles: Styles | null
  /** What the Worker may fill into stored pages, by the kind of page; null in development. */
  export const laterNames: Record<'records' | 'guide' | 'search', LaterNames> | null
}

declare module 'virtual:remix/server-build' {
  import type { ServerBuild } from '@remix-run/cloudflare'
  const build: ServerBuild
  export = build
}
