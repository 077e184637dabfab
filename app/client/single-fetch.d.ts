// With single fetch, loader data keep their types on the way (dates stay dates); the types are told so here.
import '@remix-run/cloudflare'

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: true
  }
}
