// With single fetch, loader data keep their types (dates stay dates); this declares it to the compiler.
import '@remix-run/cloudflare'

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: true
  }
}
