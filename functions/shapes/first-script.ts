/**
 * The inline script in the head of every page, run before the first paint: "a stored theme applies before first paint", a collapsed
 * sidebar does not jump, fonts apply at once after navigation within the site (detected without storage), and space for script-only
 * controls is reserved. Inline, so no page waits for a request. Stored drawings are loaded after the first paint, which they would
 * delay, or a second later. When a hub page is painted and the browser idle, it loads the page's script (`data-script` of the root
 * element). Classic script, no imports.
 */
export const firstScript = `{const h=document.documentElement,d=h.dataset
d.scripts=''
try{const s=localStorage,t=s.getItem('theme')
if(t==='dark-theme')h.classList.add(t)
else if(t==='light-theme')d.theme='light'
if(s.getItem('sidebar')==='collapsed')d.sidebar='collapsed'}catch{}
if(document.referrer.startsWith(location.origin+'/')&&!navigator.connection?.saveData)d.faces=''
addEventListener('DOMContentLoaded',()=>{
const draw=()=>{for(const u of document.querySelectorAll('use:not([href])'))u.setAttribute('href',u.dataset.href)}
setTimeout(draw,1000)
try{new PerformanceObserver(draw).observe({type:'paint',buffered:true})}catch{}})
if(d.script)addEventListener('DOMContentLoaded',()=>setTimeout(()=>(self.requestIdleCallback??setTimeout)(()=>{
const s=document.createElement('script')
s.type='module'
s.src=d.script
document.head.append(s)}),200))}`

/** The Content-Security-Policy hash of exactly that text; a test keeps both in sync. */
export const firstScriptHash = 'sha256-c3kZ9bW5FsMMaEbQtU69y5EScZ/44yvi2Bzetkf6/Zw='
