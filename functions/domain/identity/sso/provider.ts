import * as oauth from 'oauth4webapi'
import { boundedText } from '#functions/platform/bounded-text.ts'
import type { Context } from '#functions/context.ts'
import { FetchError, createResolver } from '#functions/engine/import/fetch/index.ts'
import { requirePublic } from '#functions/engine/import/fetch/guard.ts'

/** Time-out of a provider's response in milliseconds, and most bytes read of it. */
const answerMs = 10_000
const maxBytes = 512_000

/** A place's registration with a provider. */
interface Provider {
  issuer: string
  clientId: string
  /** Decrypted. */
  secret: string
}

/** The parameters of one sign-in, which are stored in an encrypted cookie until the browser comes back. */
export interface Attempt {
  state: string
  nonce: string
  /** The secret of PKCE (RFC 7636). */
  verifier: string
  /** The provider was told to authenticate the person again. */
  isAgain: boolean
}

/** An identity as the provider asserts it. */
export interface ProviderIdentity {
  issuer: string
  subject: string
  /** As the provider writes it; null: it gives none, or says that it is not verified. */
  email: string | null
  name: string | null
  /** When the provider last authenticated the person; null: it does not say. */
  provedAt: Date | null
}

/**
 * Why a provider could not be reached or trusted, in our own words, because its own messages are foreign
 * text.
 */
export class ProviderError extends Error {
  override name = 'ProviderError'
}

/**
 * The provider's metadata (OpenID Connect Discovery 1.0), fetched each time. Throws a ProviderError where it
 * cannot be reached, has another issuer, or lacks what signing in takes.
 */
export async function discover(ctx: Context, issuer: string): Promise<oauth.AuthorizationServer> {
  return withReasons(async () => {
    const response = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oidc', ...through(ctx) })
    // Some issuers end in a slash, which the URL of the discovery document does not show.
    const value: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    const issuerUrl = `${issuer}/`
    const isSlashed =
      typeof value === 'object' && value !== null && 'issuer' in value && value.issuer === issuerUrl
    const server = await oauth.processDiscoveryResponse(new URL(isSlashed ? issuerUrl : issuer), response)
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      if (!isHttps(server[name])) throw new ProviderError(`The provider names no https address as ${name}.`)
    return server
  })
}

/** New random parameters for a sign-in. */
export const newAttempt = (isAgain: boolean): Attempt => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
  isAgain,
})

/** The authorization URL to which a browser is redirected (OpenID Connect Core 1.0, 3.1.2.1, with PKCE). */
export async function authorizationUrl(
  server: oauth.AuthorizationServer,
  { clientId }: Pick<Provider, 'clientId'>,
  { state, nonce, verifier, isAgain }: Attempt,
  redirectUri: string,
): Promise<string> {
  const url = new URL(server.authorization_endpoint ?? '')
  const challenge = await oauth.calculatePKCECodeChallenge(verifier)
  const request = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(isAgain && { prompt: 'login', max_age: '0' }),
  }
  for (const [name, value] of Object.entries(request)) url.searchParams.set(name, value)
  return url.href
}

/** Oldest authentication accepted where a fresh one was requested: clocks differ, and typing takes time. */
const againSeconds = 600

/**
 * The identity of the person who came back: exchanges the code and validates signature, issuer, audience,
 * times and nonce of the token (OpenID Connect Core 1.0, 3.1.3.7). Throws a ProviderError for anything
 * invalid.
 */
export async function identify(
  ctx: Context,
  provider: Provider,
  attempt: Attempt,
  query: URLSearchParams,
  redirectUri: string,
): Promise<ProviderIdentity> {
  const server = await discover(ctx, provider.issuer)
  return withReasons(async () => {
    if (server.issuer !== provider.issuer) throw new ProviderError('The provider names another issuer now.')
    const client: oauth.Client = { client_id: provider.clientId, [oauth.clockTolerance]: 60 }
    const parameters = oauth.validateAuthResponse(server, client, query, attempt.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuth(server, provider.secret),
      parameters,
      redirectUri,
      attempt.verifier,
      through(ctx),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
      ...(attempt.isAgain && { maxAge: againSeconds }),
    })
    // The specification accepts TLS in place of the signature; check the signature as well.
    await oauth.validateApplicationLevelSignature(server, response, through(ctx))
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (!claims) throw new ProviderError('The provider sent no identity token.')
    if (claims.sub === '' || claims.sub.length > 255)
      throw new ProviderError('The provider names nobody, or by a name longer than 255 characters.')
    const value =
      claims.email === undefined && server.userinfo_endpoint
        ? await userInfo(ctx, server, client, tokens.access_token, claims.sub)
        : claims
    const isDenied = value.email_verified === false || value.email_verified === 'false'
    return {
      issuer: server.issuer,
      subject: claims.sub,
      email: typeof value.email === 'string' && !isDenied ? value.email : null,
      name: typeof value.name === 'string' ? value.name : null,
      provedAt: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : null,
    }
  })
}

/** The claims of the provider's UserInfo endpoint, which must be of the same person. */
async function userInfo(
  ctx: Context,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  accessToken: string,
  subject: string,
): Promise<oauth.UserInfoResponse> {
  const response = await oauth.userInfoRequest(server, client, accessToken, through(ctx))
  return oauth.processUserInfoResponse(server, client, subject, response)
}

/** How the client authenticates: as the provider supports it, by header where it does not say. */
function clientAuth(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported
  const isInBody = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return isInBody ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
}

const isHttps = (address: string | undefined) =>
  address !== undefined && URL.canParse(address) && new URL(address).protocol === 'https:'

/**
 * Options for every request to a provider: public https addresses only, no redirects, with a time-out and
 * size limit.
 */
function through(ctx: Context) {
  const { fetch, settings } = ctx
  const resolve = createResolver(fetch, settings.dnsResolver)
  return {
    [oauth.customFetch]: async (address: string, init: oauth.CustomFetchOptions<string, unknown>) => {
      const signal = AbortSignal.timeout(answerMs)
      if (!isHttps(address)) throw new ProviderError('The provider names an address that is not https.')
      const { href } = await requirePublic({ resolve }, address, { isRedirect: false, signal })
      const { method, headers, body } = init
      const response = await fetch(href, {
        method,
        headers,
        body: body as BodyInit | null,
        redirect: 'manual',
        cache: 'no-store',
        signal,
      })
      const text = await boundedText(response, maxBytes)
      if (text === null) throw new ProviderError('The provider answers with more than we read.')
      const isEmpty = [101, 204, 205, 304].includes(response.status)
      return new Response(isEmpty ? null : text, { status: response.status, headers: response.headers })
    },
  }
}

/** Runs `work` and turns its errors into ProviderErrors in our own words. */
async function withReasons<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ProviderError
      ? error
      : new ProviderError(describeProviderError(error), { cause: error })
  }
}

function describeProviderError(error: unknown): string {
  if (error instanceof FetchError) return `The provider cannot be reached. ${error.diagnosis ?? ''}`.trim()
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error === 'access_denied'
      ? 'Signing in was refused or given up at the provider.'
      : 'The provider sent an error instead of signing in.'
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError)
    return 'The provider does not take the client id, the secret or the code.'
  if (error instanceof SyntaxError) return 'The provider answers with something that is not JSON.'
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'The provider did not answer in ten seconds.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? 'The provider cannot be reached, or its answer is not one of OpenID Connect.'
}

const reasons: Record<string, string> = {
  [oauth.JSON_ATTRIBUTE_COMPARISON]: 'The address is not that of the issuer the provider names.',
  [oauth.JWT_CLAIM_COMPARISON]: 'The identity token is not for this sign-in, or not of this provider.',
  [oauth.JWT_TIMESTAMP_CHECK]: 'The identity token is too old, or of the future.',
  [oauth.KEY_SELECTION]: 'The provider publishes no key that the identity token is signed with.',
  [oauth.RESPONSE_IS_NOT_JSON]: 'The provider answers with something that is not JSON.',
  [oauth.RESPONSE_IS_NOT_CONFORM]: 'The provider answers with an unexpected status.',
  [oauth.REQUEST_PROTOCOL_FORBIDDEN]: 'The provider names an address that is not https.',
}
