#include "service/jobs/bulk_survey.h"

namespace belfry::service {
namespace {

constexpr std::size_t kSamples = 10;

}  // namespace

Result<JobSurvey> survey_jobs(store::BulkStore& store, TenantId tenant,
                              const core::JobSelector& selector) {
  constexpr std::size_t kLook = 50'000;
  constexpr int kPieces = 20;
  JobSurvey survey;
  store::BulkStore::JobSearch search{
      .tenant = tenant, .selector = selector, .look = kLook, .most = kSamples};
  for (int i = 0; i < kPieces; ++i) {
    BELFRY_TRY(piece, store.count_selected(search));
    survey.matched += piece.matched;
    survey.samples.insert(survey.samples.end(), piece.jobs.begin(), piece.jobs.end());
    search.most = kSamples - survey.samples.size();
    if (!piece.next) return survey;
    search.after = *std::move(piece.next);
  }
  survey.exact = false;
  return survey;
}

Result<RunSurvey> survey_runs(store::ListingStore& store, TenantId tenant,
                              const core::RunSelector& selector) {
  constexpr std::size_t kPage = 1'000;
  constexpr int kPages = 10;
  RunSurvey survey;
  const store::RunFilter filter{.tenant = tenant,
                                .job = selector.job,
                                .state = selector.state,
                                .from = selector.from,
                                .to = selector.to};
  std::string cursor;
  for (int i = 0; i < kPages; ++i) {
    BELFRY_TRY(page, store.list_runs(filter, cursor, kPage));
    survey.matched += page.runs.size();
    for (store::RunRow& run : page.runs) {
      if (survey.samples.size() < kSamples) survey.samples.push_back(std::move(run));
    }
    if (!page.next) return survey;
    cursor = *std::move(page.next);
  }
  survey.exact = false;
  return survey;
}

}  // namespace belfry::service
