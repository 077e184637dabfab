/**
 * What the web app sends as `key`: it identifies the app, not a person, and grants nothing. The cookie
 * identifies the person.
 */
export const clientKey = 'cpw_app'
