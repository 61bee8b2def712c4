/** Where the usual providers are, so that a key can be asked for before the second bundle is loaded. */
const addresses: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  openrouter: 'https://openrouter.ai/api/v1',
};

/** The address that a chosen model is asked at; undefined for the simulated one and for servers without keys. */
export function baseUrlOf(spec: string): string | undefined {
  const at = spec.indexOf('#');
  if (/^https?:\/\//.test(spec) && at > 0) return spec.slice(0, at);
  return addresses[spec.split('/')[0] ?? ''];
}
