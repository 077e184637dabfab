import { RemixBrowser } from '@remix-run/react'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'

/**
 * Waits until what the loaders gave is decoded. `RemixBrowser` begins that when it is first asked for and throws the
 * promise, before any hook. Were it React who asked, a click in that moment would have it render at once, which it
 * cannot while something is waited for, and reports as a bug of its own ("Root did not complete").
 */
async function decode(): Promise<void> {
  try {
    RemixBrowser({})
  } catch (thrown) {
    if (thrown instanceof Promise) await thrown
  }
}

/*
 * A navigation that another one replaces is broken off: the router asks for that and goes on, but leaves the promise of the request that
 * ends so to nobody, and the browser reports it as an error of the page.
 */
window.addEventListener('unhandledrejection', (event: PromiseRejectionEvent) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault()
})

void decode().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    )
  }),
)
