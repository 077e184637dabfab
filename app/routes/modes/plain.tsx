import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet } from '@remix-run/react'
import { ProgressBar } from '#app/components/shell/progress-bar.tsx'
import { Toasts } from '#app/components/shell/toasts.tsx'
import { onlyIn } from '#app/server/mode.server.ts'
import workspaceStyle from '#app/styles/workspace.css?url'

/** Screens of the workspace without its navigation: signing in, confirming an address, being welcomed. */
export function loader(args: LoaderFunctionArgs) {
  return onlyIn('main', args)
}

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: workspaceStyle }]

export default function PlainMode() {
  return (
    <>
      <ProgressBar />
      <main className="plain" id="main">
        <Outlet />
      </main>
      <Toasts />
    </>
  )
}
