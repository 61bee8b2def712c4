/** Where the usual providers are, so that a key can be asked for before the second bundle is loaded. */
export const keyedAddresses: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  openrouter: 'https://openrouter.ai/api/v1',
  deepseek: 'https://api.deepseek.com/v1',
  qwen: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  minimax: 'https://api.minimax.io/v1',
  vllm: 'http://localhost:8000/v1',
};

/** The address that a chosen model is asked at; undefined for the simulated one and for servers without keys. */
export function baseUrlOf(
  spec: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (/^https?:\/\//.test(spec)) return spec.split('#')[0];
  const provider = spec.split('/')[0] ?? '';
  if (provider === 'azure') return environment['AZURE_OPENAI_ENDPOINT'] ?? environment['AZURE_ENDPOINT'];
  return keyedAddresses[provider];
}
