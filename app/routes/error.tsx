/** "/error | 500 error page": a target for redirects of the infrastructure. */
export function loader() {
  throw new Response(null, { status: 500, statusText: 'Error' })
}

export default function ErrorRoute() {
  return null
}
