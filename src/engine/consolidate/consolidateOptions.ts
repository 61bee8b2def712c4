/** What a consolidation starts from where nobody says otherwise: the metric that SkillOpt-Sleep's gate has. */
export const consolidateDefaults: Readonly<Record<string, unknown>> = { gate: { metric: 'mixed' } };
